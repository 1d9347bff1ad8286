"""What an operator can do: one file for each verb. The command line and `import opilio` use the same functions."""
