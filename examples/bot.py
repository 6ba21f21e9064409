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
            return sorted(random.sample(ids, random.randint(kind["low"], kind["high"])))
        case "amount":
            return random.choice(range(kind["low"], kind["high"] + 1, kind["step"]))
        case "form":
            return filled_in(kind)
    raise ValueError(f"a kind of question that this bot does not know: {kind['kind']}")


def filled_in(form):
    """One answer for each field; where no two may be alike, the same choice is not taken twice."""
    while True:
        answers = [legal(field["kind"]) for field in form["fields"]]
        if not form["different"] or all_different(form, answers):
            return answers


def all_different(form, answers):
    """Whether the fields have different values, and not just different numbers."""
    values = []
    for field, answer in zip(form["fields"], answers):
        if field["kind"]["kind"] == "one_of":
            choice = next(one for one in field["kind"]["choices"] if one["id"] == answer)
            values.append(json.dumps(choice["value"]))
        else:
            values.append(json.dumps(answer))
    return len(set(values)) == len(values)


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
