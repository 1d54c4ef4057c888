"""The pages of diners and of the restaurant's people: parse, call one function, render."""
