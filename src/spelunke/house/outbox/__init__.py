"""What people are to be told, written in the commit that causes it; `notifications` sends it."""
