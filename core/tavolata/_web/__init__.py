"""The web server of a table (`tt host --web`). It is optional and imported only when it is used."""
