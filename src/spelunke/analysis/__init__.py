"""The toolkit of analyses: values, decisions, playouts and problems of any game."""
