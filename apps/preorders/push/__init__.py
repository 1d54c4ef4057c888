"""Web push: subscribing a browser, and sending what is due."""
