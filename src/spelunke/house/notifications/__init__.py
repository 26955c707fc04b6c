"""Notifications: what people are told when they are not looking, and by which ways (docs/why/notifications.md)."""
