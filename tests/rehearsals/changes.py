"""Mutants of the product, with names: mistakes that somebody could make, and those that somebody made.

`python -m tests.rehearsals.mutants` plays evenings with each of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.mutation import ROOT, Mutant

ENGINE = "core/tavolata/_engine/"
LOG = "protocol/tavolata_protocol/grouplog/"
NAMED = "named"
TEAMS = "teams x without"
CRASH = "crash x resume"
PHONES = "browser x verify, serving"
ABSENCE = "out, back x dealing"
ELECTIONS = "elections, joins x match"
STORAGE = "power cut x storage"
CUT = frozenset({"power cut"})
ENDS = frozenset({
    "kill", "power cut", "crash of all", "suspend", "quit", "leave", "full disk", "failed sync", "sleep",
    "alone", "flipped bit", "cleared cache",
})  # fmt: skip
"""What ends a session so that another one of the same machine may go on."""
ELECTS = ENDS | {"cut", "one-way cut", "split", "flap", "loss", "damage", "hand over", "kick"}
"""What may leave the log without a leader."""
PHONE = frozenset({"phone"})
IN_TEAMS = frozenset({"teams"})
WITHOUT = frozenset({"without"})
CROSSINGS = (TEAMS, CRASH, PHONES, ABSENCE, ELECTIONS, STORAGE)


@dataclass(frozen=True)
class Change:
    """One text of a file that stands there once, and what stands there instead."""

    name: str
    crossing: str
    path: str
    old: str
    new: str
    needs: frozenset[str] = frozenset()
    """An evening whose plan has none of these features is as without the change; see `Plan.features`."""

    def source(self) -> bytes:
        return (ROOT / self.path).read_bytes()

    def made(self, source: bytes) -> Mutant:
        """Return the change in this source; raise ValueError unless it applies."""
        old = self.old.encode()
        if source.count(old) != 1:
            raise ValueError(f"{self.name}: not once, but {source.count(old)} times in {self.path}")
        start = source.index(old)
        line = source[:start].count(b"\n") + 1
        end = start + len(old)
        return Mutant(self.path, line, line, line + self.old.count("\n"), start, end, self.name, self.new)


CHANGES = (
    # -- what REHEARSALS names: (a) to (d) and (f) to (h) --------------------------------------------
    Change("sealed-for-the-missing", NAMED, f"{ENGINE}dealing/sealing.py",
           'if to not in self._origin.mailboxes:\n            return b""\n        context', "context",
           IN_TEAMS),
    Change("verify-without-phones", NAMED, f"{ENGINE}table/lobby.py",
           "own=seat in header.served or (seat == header.own_seat(key) and key not in roster.watchers),\n"
           '                companion=bytes([seat]) * TAG_SIZE if seat in header.served else b"",',
           "own=seat == header.own_seat(key),",
           PHONE),
    Change("nobody-resumes", NAMED, f"{ENGINE}storage/ways_back.py",
           "keep(self.path, asdict(way))", "True",
           ENDS),
    Change("resume-changes-the-layout", NAMED, f"{ENGINE}table/lobby.py",
           "            mine.level = level\n",
           "            mine.level = level\n"
           "            roster.places.sort(key=lambda one: one is mine)\n",
           ENDS),
    Change("a-plugin-prints", NAMED, "plugins/tavolata_zompa/rules.py",
           "    async def turn(self, t: Table[ZompaOptions]) -> Outcome | None:\n",
           "    async def turn(self, t: Table[ZompaOptions]) -> Outcome | None:\n        print('debug')\n"),
    Change("words-count-lots", NAMED, f"{ENGINE}dealing/lots.py",
           "        if lot is None or not lot.opening.done:\n"
           "            return None\n"
           "        self.open = None\n"
           "        self._drawn[want.seat] = self._drawn.get(want.seat, 0) + 1\n",
           "        self._drawn[want.seat] = self._drawn.get(want.seat, 0) + 1\n"
           "        if lot is None or not lot.opening.done:\n"
           "            return None\n"
           "        self.open = None\n"),
    Change("spectator-is-evidence", NAMED, f"{LOG}signed_commits.py",
           "not self._mandates.has_led(commit.leader)\n            or commit.lineage", "commit.lineage",
           frozenset({"lie"})),
    # -- teams, and going on without the missing -------------------------------------------------------
    Change("forgets-the-earlier-missing", TEAMS, f"{ENGINE}table/continuation.py",
           "why = dict(header.before.absent) if header.before is not None else {}",
           "why: dict[int, str] = {}",
           WITHOUT),
    Change("verify-without-teams", TEAMS, f"{ENGINE}table/lobby.py",
           "self.idle, self.fixed, self.teams = header.idle, header.fixed, len(set(header.teams))",
           "self.idle, self.fixed = header.idle, header.fixed",
           IN_TEAMS),
    Change("copies-for-mates-here", TEAMS, f"{ENGINE}peer/participation.py",
           "for mate in ask.shown_to]", "for mate in ask.shown_to if self._secret.sealer.hears(mate)]",
           IN_TEAMS),
    Change("first-seat-starts", TEAMS, f"{ENGINE}peer/machine.py",
           "header.parties[0] != self._me", "header.keys[0] != self._me",
           WITHOUT),
    Change("the-missing-stay-seated", TEAMS, f"{ENGINE}table/matches.py",
           "        self._roster.seat_as(header.keys, header.absent)\n", "",
           WITHOUT),
    # -- crashes, and resuming --------------------------------------------------------------------------
    Change("counts-begin-anew", CRASH, f"{LOG}proposals.py",
           "self._next = max(self._replica.journal.last_count(self._replica.me), *proposals, 0) + 1",
           "self._next = self._replica.journal.last_count(self._replica.me) + 1",
           ENDS),
    Change("forgets-its-vote", CRASH, f"{LOG}recovery.py",
           "replica.voted_for, replica.lineage = found.voted_for, found.lineage",
           "replica.voted_for, replica.lineage = None, found.lineage",
           ENDS),
    Change("compares-own-notes", CRASH, f"{ENGINE}storage/match_copy.py",
           "_OWN = (SEEN, BOOK)\n", "_OWN = (BOOK,)\n",
           ENDS),
    Change("does-not-come-back", CRASH, f"{ENGINE}dealing/driver.py",
           "if absence > self._back and not authority.deals(me) and near",
           "if absence > self._back and authority.deals(me) and near",
           ELECTS),
    Change("resumes-impatiently", CRASH, f"{ENGINE}peer/connection.py",
           "            return  # it may take days until the others come\n", "            pass\n",
           ENDS),
    # -- people in browsers ------------------------------------------------------------------------------
    Change("nobody-plays-for-who-left", PHONES, f"{ENGINE}peer/bots_here.py",
           "(place.unattended or seat in self.resting)", "seat in self.resting",
           PHONE),
    Change("patience-never-ends", PHONES, f"{ENGINE}peer/companions.py",
           "{person: self._unserved.get(person, now) for person in gone}",
           "{person: now for person in gone}",
           PHONE),
    Change("leaves-while-all-say-in", PHONES, f"{ENGINE}table/lobby.py",
           "if place is not None and self._matches.is_busy:",
           "if place is not None and self._matches.running is not None:",
           PHONE),
    Change("no-question-for-who-comes", PHONES, f"{ENGINE}peer/companions.py",
           "            for update in self._still_open():\n                self.tell(update)\n", "",
           PHONE),
    Change("a-phone-is-the-machine", PHONES, f"{ENGINE}peer/companions.py",
           "return tuple(seat for seat, one in self.seats_here() if one == person)",
           "return tuple(seat for seat, one in self.seats_here() if one.startswith(person))",
           PHONE),
    # -- going out and coming back ------------------------------------------------------------------------
    Change("absences-all-alike", ABSENCE, f"{ENGINE}dealing/authority.py",
           "        self._absences[party] += 1\n", ""),
    Change("waits-for-cards-of-the-gone", ABSENCE, f"{ENGINE}dealing/parcels.py",
           "if card in self._laid.shown or self._authority.is_gone(party):", "if card in self._laid.shown:"),
    Change("awaits-decks-of-the-absent", ABSENCE, f"{ENGINE}dealing/piles.py",
           "if one.step is not ChainStep.SEED and not authority.deals(",
           "if one.step is ChainStep.PROOF and not authority.deals(",
           ELECTS),
    Change("away-counts-as-present", ABSENCE, f"{ENGINE}dealing/authority.py",
           "            self._aside |= aside\n            self._count()\n",
           "            self._aside |= aside\n",
           ELECTS),
    Change("away-for-good", ABSENCE, f"{ENGINE}dealing/authority.py",
           "for without in (self._out, self._away, self._aside):",
           "for without in (self._out, self._aside):"),
    # -- elections and joins -------------------------------------------------------------------------------
    Change("up-to-date-by-term", ELECTIONS, f"{LOG}rules.py",
           "return candidate >= own", "return candidate[0] >= own[0]",
           ELECTS),
    Change("final-in-any-term", ELECTIONS, f"{LOG}rules.py",
           "return entry_term == present_term", "return True",
           ELECTS),
    Change("does-not-send-again", ELECTIONS, f"{LOG}proposals.py",
           "        self._sent.clear()\n", "        pass\n",
           ELECTS),
    Change("claims-what-is-unverified", ELECTIONS, f"{LOG}follower.py",
           "known = max(journal.commit_index, journal.verified)", "known = journal.last_number",
           ELECTS),
    Change("vote-not-noted", ELECTIONS, f"{LOG}elections.py",
           "            self._enter_term(replica.term, peer)\n", "            pass\n",
           ELECTS),
    # -- power cuts --------------------------------------------------------------------------------
    Change("settles-without-sync", STORAGE, f"{LOG}storage.py",
           "            self._storage.sync()\n", "            self._storage.flush()\n",
           CUT),
    Change("votes-are-lazy", STORAGE, f"{LOG}storage.py",
           "LAZY: Final = (FinalTo, ProposalKept)", "LAZY: Final = (FinalTo, ProposalKept, Ballot)",
           CUT),
    Change("secret-without-name", STORAGE, f"{ENGINE}storage/secret_files.py",
           "        file.sync()\n    disk().sync_folder(path.parent)\n", "        file.sync()\n",
           CUT),
    Change("end-is-not-synced", STORAGE, f"{ENGINE}storage/match_copy.py",
           "        self._sync()\n        if self.is_closed",
           "        if self.is_closed",
           CUT),
    Change("replaces-without-sync", STORAGE, "core/tavolata/_disk.py",
           "                file.write(data)\n                file.sync()\n            self.rename",
           "                file.write(data)\n            self.rename",
           CUT),
)  # fmt: skip
ENCOUNTER, FIRST = "test_encounters.py::", "test_first_meetings.py::"
ENCOUNTERS = (
    (Change("whoever-hosts-deals", NAMED, f"{ENGINE}table/matches.py",
            "            host=peer == self.dealer,\n", "            host=peer == self._roster.host,\n"),
     ENCOUNTER + "test_a_host_that_returns_to_a_match_of_another_leaves_it_the_cards"),
    (Change("a-removed-host-is-the-host", NAMED, f"{ENGINE}table/roster.py",
            "            self.displaced = [one for one in self.displaced if one != author]\n",
            "            pass\n"),
     ENCOUNTER + "test_a_removed_host_is_a_guest_when_it_returns_under_another_name"),
    (Change("a-leaver-holds-up-an-undo", NAMED, f"{ENGINE}match/log_source.py",
            "                settle(self._match)\n", "                pass\n"),
     ENCOUNTER + "test_an_answer_is_undone_once_the_last_who_has_not_agreed_leaves_for_good"),
    (Change("a-name-makes-a-table-loud", NAMED, f"{ENGINE}peer/credentials.py",
            "unlike=now[2], quiet=quiet)", "unlike=now[2])"),
     ENCOUNTER + "test_a_quiet_table_is_quiet_for_all_who_come_by_an_heir_or_after_a_new_name"),
    (Change("a-late-press-is-for-any-window", NAMED, "core/tavolata/_web/frontend.py",
            '        if opened is None or _whole(said["window"]) != self._window_number:\n',
            "        if opened is None:\n"),
     ENCOUNTER + "test_a_held_tap_counts_neither_in_a_window_nor_for_a_later_question"),
    (Change("a-lost-seal-is-waited-for", NAMED, f"{ENGINE}dealing/fair_dealing.py",
            "        if any(map(self.seals.is_lost, self.source.open)):\n            return True\n", ""),
     FIRST + "test_a_match_of_which_too_few_can_open_a_seal_is_over_with_its_undo"),
    (Change("a-void-match-has-a-winner", NAMED, f"{ENGINE}review/replay.py",
            "(outcome is not None and self.match.outcome is not None)", "self.match.outcome is not None"),
     FIRST + "test_a_replay_of_a_match_that_was_void_after_its_end_names_no_winner"),
    (Change("a-locked-log-is-no-sentence", NAMED, f"{ENGINE}storage/log_files.py",
            "except OSError as error:  # on Windows", "except EOFError as error:  # on Windows"),
     FIRST + "test_a_log_that_another_program_keeps_for_itself"),
    (Change("who-resumes-is-strict", NAMED, f"{ENGINE}peer/credentials.py",
            "unlike=now[2]", "unlike=self._settings.unlike"),
     FIRST + "test_who_resumes_at_a_table_for_other_code_lets_others_in"),
    (Change("a-whisper-goes-to-the-name", NAMED, "core/tavolata/_web/frontend.py",
            "            if self._persons(self.session.table())[one] != meant:", "            if not meant:"),
     FIRST + "test_a_whisper_on_a_page_goes_to_whom_was_picked_under_any_name"),
    (Change("windows-count-from-the-start", NAMED, "core/tavolata/_web/frontend.py",
            "self._window_number = bits(32)", "self._window_number = 0"),
     FIRST + "test_a_page_that_comes_back_to_a_new_program_in_a_window_presses_in_that_one"),
)  # fmt: skip
"""Mutants that no drawn evening need find, each with the test of a scripted one that does."""
