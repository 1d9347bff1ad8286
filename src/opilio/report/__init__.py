"""Tables, pictures and pages for people: values come in, and nothing here decides anything or reads a folder."""
