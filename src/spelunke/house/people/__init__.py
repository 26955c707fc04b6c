"""People, and how they come in: names, devices, passwords, passkeys, profiles."""
