"""What an operator can do: one file for each verb, the same for the command line and for `import opilio`."""
