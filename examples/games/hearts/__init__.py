"""Hearts: a game of tricks, in which what is said of hidden hands is judged."""
