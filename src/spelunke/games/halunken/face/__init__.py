"""How the harbour looks: on the page and in the terminal."""
