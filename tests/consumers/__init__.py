"""The commands, tried as their users meet them."""
