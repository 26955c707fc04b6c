"""What analyses of any game are made of: values, decisions, playouts, problems."""
