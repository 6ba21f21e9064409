"""The command `tt campaigns`: this machine's copies of campaigns are listed, shown and removed."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolata._cli import completions
from tavolata._cli.choosing import confirmed
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, UsageError
from tavolata._cli.lists import in_columns
from tavolata._text import one_line
from tavolata.messages import N_, NN_

if TYPE_CHECKING:
    from tavolata._engine.match.campaign import Campaign
    from tavolata._engine.plugins.catalogue import LoadedGame

HEADINGS = (N_("Campaign"), N_("Game"), N_("Matches"), N_("Players"))
NONE = N_("No campaigns here. In a game that has campaigns, start one with `tt play GAME --campaign NAME`.")
NO_SUCH = N_("No campaign called {name}. See `tt campaigns`.")
SEVERAL = N_("Several games have a campaign called {name}. Choose one with --game: {games}.")
MATCHES = NN_("{n} match, with {players}.", "{n} matches, the last one with {players}.")
ON = N_("Continue it here with `tt play {game} --campaign {name}`, or at a table with `tt host`.")
DELETE = N_("Delete this computer's copy of the {game} campaign {name} for good?")
UNASKED = N_("Can't ask for confirmation without a terminal. Add --yes to delete the campaign.")


def campaigns(
    context: CommandContext,
    name: Annotated[
        str | None,
        typer.Argument(
            help=N_("Campaign to show or delete (default: list them all)."), metavar="NAME",
            autocompletion=completions.campaigns,
        ),
    ] = None,
    *,
    game: Annotated[
        str | None, typer.Option(help=N_("Campaigns of this game only."), autocompletion=completions.games)
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help=N_("Delete this computer's copy of the campaign."))
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help=N_("Don't ask for confirmation."))] = False,
) -> int:  # fmt: skip
    """List, show or delete campaigns."""
    from tavolata._engine.storage import campaign_files as files
    from tavolata._engine.storage.match_file import StoreError

    found = [one for one in files.all_kept() if game in (None, one[0]) and name in (None, one[1])]
    if name is None:
        if remove:
            raise UsageError(N_("Which campaign? tt campaigns --remove NAME"))
        return _list(context, found)
    if not found:
        raise StoreError(NO_SUCH, name=name)
    if len(found) > 1:
        raise UsageError(SEVERAL, name=name, games=", ".join(of for of, _ in found))
    ((of, _),) = found
    if not remove:
        campaign = files.load(of, name)
        if campaign is not None:
            _show(context, of, campaign)
        return FINISHED
    said = {"name": name, "game": _title(context, of)}
    if confirmed(context, context.text(DELETE, said), UNASKED, yes=yes):
        files.remove(of, name)
        context.note(context.text(N_("Deleted: {game} campaign {name}."), said))
    return FINISHED


def wanted_campaign(loaded: LoadedGame, name: str | None) -> Campaign | None:
    """Return the campaign that a command line names, as this machine knows it; a new one if it doesn't.

    Raises:
        WrongLegacy: the game has no campaigns, none can be named so, or its rules can't read what was left.
        StoreError: the copy can't be read.
    """
    if name is None:
        return None
    from tavolata._engine.match.campaign import BROKEN, WrongLegacy, is_readable, new_campaign
    from tavolata._engine.storage.campaign_files import load

    new = new_campaign(loaded.game, name)
    campaign = load(loaded.info.name, name) or new
    if not is_readable(loaded.game, campaign):
        raise WrongLegacy(BROKEN, game=loaded.info.name)
    return campaign


def _title(context: CommandContext, game: str) -> str:
    return context.catalogue.title(game, context.text)


def _list(context: CommandContext, found: list[tuple[str, str]]) -> int:
    from tavolata._engine.storage import campaign_files as files
    from tavolata._engine.storage.match_file import StoreError

    rows = [list(map(context.text, HEADINGS))]
    for game, name in found:
        try:
            campaign = files.load(game, name)
        except StoreError as error:
            context.note(context.text(error.message, error.params))
            continue
        if campaign is None:
            continue
        facts = {"name": name, "game": game, "matches": campaign.matches, "players": list(campaign.players)}
        if context.frontend == "json":
            context.data("campaign", facts)
        rows.append([name, _title(context, game), str(campaign.matches), ", ".join(campaign.players)])
    if context.frontend == "json":
        return FINISHED
    if len(rows) == 1:
        if not found:
            context.note(context.text(NONE))
        return FINISHED
    for line in in_columns(rows, shutil.get_terminal_size().columns if context.on_terminal else None):
        context.out(line)
    return FINISHED


def _show(context: CommandContext, game: str, campaign: Campaign) -> None:
    from tavolata._engine.match import state

    left: dict[str, Any] = state.unpack(campaign.legacy)
    if context.frontend == "json":
        shown = {name: _plain(value) for name, value in left.items()}
        context.data("campaign", {
            "name": campaign.name, "game": game, "matches": campaign.matches, "match": campaign.match,
            "players": list(campaign.players), "legacy": shown,
        })  # fmt: skip
        return
    said = {"n": campaign.matches, "players": ", ".join(campaign.players)}
    context.out(f"{campaign.name} ({_title(context, game)})")
    context.out(context.text(MATCHES, said))
    for name, value in left.items():
        context.out(f"  {name}: {_words(_plain(value))}")
    if context.on_terminal and context.verbosity >= 0:
        context.note(context.text(ON, {"game": game, "name": campaign.name}))


def _plain(value: Any) -> Any:
    """Return a written value without its tags, for programs: the game need not read it for that."""
    if not isinstance(value, list):
        return value.hex() if isinstance(value, bytes) else value
    match value:
        case ["list" | "tuple", *parts]:
            return [_plain(part) for part in parts]
        case ["dict", *pairs]:
            return {str(_plain(key)): _plain(one) for key, one in pairs}
        case ["enum", _, str(name)]:
            return name
        case ["data", _, *parts]:
            return [_plain(part) for part in parts]
        case [_, *parts]:
            return _plain(parts[0]) if len(parts) == 1 else [_plain(part) for part in parts]
        case _:
            return None


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{one_line(key, 40)} {_words(one)}" for key, one in value.items()) or "-"
    if isinstance(value, list):
        return ", ".join(map(_words, value)) or "-"
    return "-" if value is None else one_line(str(value), 200)
