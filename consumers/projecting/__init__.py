"""The projector: follows facts and findings, and keeps the read models that follow from them."""
