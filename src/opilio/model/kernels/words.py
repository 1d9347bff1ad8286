"""Finds the words in the bytes of lines: they are looked up while scoring, and added to the vocabulary while training.

A line feed ends a sentence, any other byte up to the space ends a word; so words hold no white space and an ARPA file
can always be written. Lines without words do not count as sentences. `<s>` and `</s>` in the text are ignored, because
only a line can begin or end a sentence. The bytes must end with white space, which saves a bound check for every byte.

A vocabulary keeps its words' bytes one after another in `letters`, with a line feed after each; word w begins at
offsets[w]. Its table has two numbers per slot, hash and word. Two words are equal only if their bytes are. The hash of
a word of up to seven bytes determines them, so for short words, which the table marks, equal hashes are enough;
comparing takes a fifth of the time.
"""

import numpy as np

from opilio.model.compiling import njit

from .mixing import EMPTY, mix, place

_SPACE = 32
_LINE_FEED = 10
_BEGIN = 1
_END = 2
_SHORT = np.uint64(1 << 32)
_WORD = np.uint64(0xFFFFFFFF)


@njit
def _hash_word(text, at):
    """Returns the hash of the word that begins here, and where it ends. Eight bytes are mixed at a time."""
    begin = at
    hashed = np.uint64(0)
    bundle = np.uint64(0)
    byte = text[at]
    while byte > _SPACE:
        bundle = (bundle << np.uint64(8)) | np.uint64(byte)
        at += 1
        if (at - begin) & 7 == 0:
            hashed = mix(hashed ^ bundle)
            bundle = np.uint64(0)
        byte = text[at]
    return mix(hashed ^ bundle ^ (np.uint64(at - begin) << np.uint64(56))), at


@njit
def _entry(word, length):
    return np.uint64(word) | (_SHORT if length < 8 else np.uint64(0))


@njit
def _same(text, begin, end, word, offsets, letters):
    start = offsets[word]
    if offsets[word + 1] - start != end - begin + 1:
        return False
    while begin < end and letters[start] == text[begin]:
        begin += 1
        start += 1
    return begin == end


@njit
def _find(text, begin, end, hashed, table, offsets, letters):
    """Returns (word, slot); if the vocabulary does not have the word, it is -1, and the slot is where it would go."""
    size = len(table) // 2
    slot = place(hashed, size)
    while table[2 * slot + 1] != EMPTY:
        if table[2 * slot] == hashed:
            entry = table[2 * slot + 1]
            word = np.int64(entry & _WORD)
            if (end - begin < 8 and entry & _SHORT) or _same(text, begin, end, word, offsets, letters):
                return word, slot
        slot += 1
        if slot == size:
            slot = 0
    return np.int64(-1), slot


@njit(cache=True)
def find_words(text, table, offsets, letters, ids, ends):
    """Looks up the words of several texts, with a zero byte after each; ends[t] is set to the number of ids before the
    end of text t. A word that is not in the vocabulary becomes 0."""
    count = 0
    texts = 0
    at = 0
    in_sentence = False
    while at < len(text):
        byte = text[at]
        if byte > _SPACE:
            hashed, end = _hash_word(text, at)
            word, _ = _find(text, at, end, hashed, table, offsets, letters)
            at = end
            if word < _BEGIN or word > _END:
                ids[count] = max(word, 0)
                count += 1
                in_sentence = True
            continue
        at += 1
        if in_sentence and byte in (_LINE_FEED, 0):
            ids[count] = _END
            count += 1
            in_sentence = False
        if byte == 0:
            ends[texts] = count
            texts += 1
    return count


@njit(cache=True)
def learn_words(text, sentences, state, table, offsets, letters, ids):
    """Continues at byte state[0] with state[1] ids written and state[2] words known; state[3] says whether a line is
    open. Stops before a word for which table, offsets or letters have no room; the caller makes room and calls again.

    Lines are either sentences, which are put between begin and end, or n-grams, which get -1 after each."""
    at, count, words, in_line = state[0], state[1], state[2], state[3]
    while at < len(text):
        byte = text[at]
        if byte > _SPACE:
            hashed, end = _hash_word(text, at)
            word, slot = _find(text, at, end, hashed, table, offsets, letters)
            if word < 0:
                after = offsets[words] + end - at
                if words + 2 > len(offsets) or after >= len(letters) or words * 3 > len(table):
                    break
                letters[offsets[words] : after] = text[at:end]
                letters[after] = _LINE_FEED
                offsets[words + 1] = after + 1
                table[2 * slot] = hashed
                table[2 * slot + 1] = _entry(words, end - at)
                word = words
                words += 1
            at = end
            if not sentences or word < _BEGIN or word > _END:
                if sentences and not in_line:
                    ids[count] = _BEGIN
                    count += 1
                in_line = 1
                ids[count] = word
                count += 1
            continue
        at += 1
        if byte == _LINE_FEED and in_line:
            ids[count] = _END if sentences else -1
            count += 1
            in_line = 0
    state[0], state[1], state[2], state[3] = at, count, words, in_line


@njit(cache=True)
def index_words(letters, offsets, words, table):
    """Fills an empty table with these words."""
    size = len(table) // 2
    for word in range(words):
        hashed, end = _hash_word(letters, offsets[word])
        slot = place(hashed, size)
        while table[2 * slot + 1] != EMPTY:
            slot += 1
            if slot == size:
                slot = 0
        table[2 * slot] = hashed
        table[2 * slot + 1] = _entry(word, end - offsets[word])
