"""Tools for analyses of any game: values, decisions, settings of playouts, and problems."""
