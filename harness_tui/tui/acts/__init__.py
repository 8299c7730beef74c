"""What the operator can write, each as a form: what is asked, what would be written, and the writing itself.

Nothing here draws or knows of a screen. `look` and `do` may wait for the disk and for other writers: they are called in
threads of their own.
"""
