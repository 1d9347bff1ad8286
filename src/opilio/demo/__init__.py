"""The tour through the embedded demo web: what `opilio demo` crawls and shows."""
