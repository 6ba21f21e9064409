#!/usr/bin/env python3
"""A bot for Tavolata that plays any game, with nothing but Python's standard library.

    tt play zompa --seat-program "python3 examples/bot.py"

It reads one JSON object a line and answers each `ask` with a legal answer at random; what it knows
of the table, it keeps in `table`, for you to do something better with. docs/ndjson.md has the rest.
"""

import json
import random
import sys


def say(**line):
    """Speak: one object a line, and flushed, or nobody hears it."""
    print(json.dumps(line), flush=True)


def legal(kind):
    """A legal answer to a question, or to a part of one."""
    match kind["kind"]:
        case "one_of":
            return random.choice(kind["choices"])["id"]
        case "some_of":
            ids = [choice["id"] for choice in kind["choices"]]
            chosen = random.sample(ids, random.randint(kind["low"], kind["high"]))
            return chosen if kind.get("ordered") else sorted(chosen)
        case "amount":
            return random.choice(range(kind["low"], kind["high"] + 1, kind["step"]))
        case "text":  # any legal text is an answer; who knows no better takes a suggestion
            return random.choice(kind["suggestions"])
        case "form":
            if "allowed" in kind:  # my own cards forbid some answers
                return random.choice(kind["allowed"])
            return [legal(field["kind"]) for field in kind["fields"]]
        case "branch":
            choice = random.choice(kind["choices"])
            return [choice["id"]] if choice["then"] is None else [choice["id"], legal(choice["then"])]
    raise ValueError(f"a kind of question that this bot does not know: {kind['kind']}")


def main():
    """Play until there is nothing more to read."""
    table = {}
    for text in sys.stdin:
        line = json.loads(text)
        match line["type"]:
            case "full":
                table = {zone["id"]: zone["content"] for zone in line["zones"]}
            case "ask":
                print(f"I see {len(table)} zones and answer question {line['id']}", file=sys.stderr)
                say(type="answer", id=line["id"], answer=legal(line))
            case "error":
                print(line["text"], file=sys.stderr)
            case _:
                pass  # everything else may be passed over, types and fields that come later too


if __name__ == "__main__":
    main()
