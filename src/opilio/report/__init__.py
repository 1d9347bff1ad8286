"""Tables, pictures and pages for people. They are made from values; nothing here decides anything or reads a folder."""
