"""The city over HTTP and WebSocket: UrbanGround's interface, and fast remote episodes."""
