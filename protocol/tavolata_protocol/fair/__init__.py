"""Fair dealing: cards, dice and sealed choices without trust in any single peer.

These are pure functions over one group. They make and check values and bytes, which the log carries. The
modules, in the order in which they build on each other (each gives its equations and its sizes):

==================  ====================================================================================
`offences`          `Offence`: the codes of offences; `Charge`: a code with its fields
`errors`            `Cheat(party, offence)`: the only error for anything received
`group`             `Group`, `ED25519`: the group operations behind a suite id; the self-test
`hashing`           `H`, `HS`, `HG`, streams of scalars, unbiased numbers and permutations
`context`           `Context`: the place in the match that every message is bound to
`encoding`          points and scalars to bytes and back; every received point is checked
`seeds`             `Secrets(seed, randomness)`: all secrets of one peer for one match
`logs`              proofs of knowledge of a discrete logarithm, and of the equality of two
`keys`              `threshold`, dealings, shares, `PublicKeys` (for all) and `KeyRing` (one's own)
`boxes`             bytes encrypted to one party; it can prove in a dispute what they were
`deck`              `Faces`, `Ciphertext`, decks as bytes, opened point to face
`shuffle`           `shuffle`, `prove`, `verify`
`mixing`            the last, public permutation from committed seeds
`chain`             `Chain`: the state machine that makes one pile
`shares`            decryption shares with one proof for a batch; the combination of t of them
`dice`, `seals`     dice, and sealed choices
`audit`             the same checks written a second time; they share only `group` and `hashing`
==================  ====================================================================================

Parties are the peers that share one epoch's key, numbered 1 to n. (A party is not a seat, since a peer may
play several seats. Where a seat matters, its number is part of the context's `object`.)

An entry of the agreed log carries 32 KiB. A deck has 64 bytes a card, and its proof has 128 bytes a card and
160 more. So a pile may have 250 cards; a pile of 108 cards takes 7 and 14 KiB. Everything else is smaller.

Everything received goes through a `read` or `check` function with the context of its sender. The function
returns a value or raises `Cheat`, which names the sender. Received data causes no other exception.
"""
