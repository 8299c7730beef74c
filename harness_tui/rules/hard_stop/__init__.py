"""The triggers by which an agent must stop (formats/hard-stop 3)."""
