"""`python -m tavolata` is `tt`, for where the script of that name is not on the path."""

import sys

from tavolata._cli import main

sys.exit(main())
