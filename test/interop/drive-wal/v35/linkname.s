// Allows a function without a body in main.go.
