"""The dashboard. The only package that imports Textual."""
