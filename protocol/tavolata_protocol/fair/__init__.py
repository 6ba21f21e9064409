"""Fair dealing: cards, dice and sealed choices that no single peer has to be trusted with.

Pure functions over one group; what they make and check are values and bytes, for the log to carry. The
modules, in the order in which they stand on each other (each says its equations and its sizes):

==================  ====================================================================================
`offences`          `Offence`: the codes of what can be wrong; `Charge`: a code with its fields
`errors`            `Cheat(party, offence)`: the one way in which anything received can be wrong
`group`             `Group`, `ED25519`: the handful of functions, hidden behind a suite id; the self-test
`hashing`           `H`, `HS`, `HG`, streams of scalars, unbiased numbers and permutations
`context`           `Context`: what every message is bound to
`encoding`          points and scalars to bytes and back, every point checked in every slot
`seeds`             `Secrets(seed, randomness)`: everything secret of one peer for one match
`logs`              proofs of knowing a logarithm, and of two logarithms being equal
`keys`              `threshold`, dealings, shares, `PublicKeys` (for all) and `KeyRing` (one's own)
`boxes`             bytes for one party alone, whose opening can be proven to all in a dispute
`deck`              `Faces`, `Ciphertext`, decks as bytes, opened point to face
`shuffle`           `shuffle`, `prove`, `verify`
`mixing`            the last, public permutation from committed seeds
`chain`             `Chain`: a state machine over all that makes one pile
`hands`             `remask`: a hand shuffled by its holder alone
`shares`            decryption shares with one proof for a batch; combining t of them
`dice`, `seals`     as their names say
`audit`             the same checks a second time, sharing nothing but `group` and `hashing`
==================  ====================================================================================

Parties are the peers that share one epoch's key, numbered 1 to n. (A peer may play several seats, so this is
not a seat: where a seat matters, its number belongs into the context's `object`.)

An entry of the agreed log carries 32 KiB. A deck has 64 bytes a card and its proof 128 and 160 more, so a
pile may have 250 cards; one of 108 takes 7 and 14 KiB. Everything else is smaller, as each module says.

Whatever is received goes through a `read` or `check` function with the context of its sender, and comes out
as a value, or `Cheat` names the sender. No other exception leaves these modules for anything received.
"""
