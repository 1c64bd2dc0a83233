"""Settlement, as rule cards a dealer could check and as properties of any round."""
