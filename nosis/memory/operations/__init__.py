"""What can be done to a memory, a group of operations a class; ``Memory`` joins them."""
