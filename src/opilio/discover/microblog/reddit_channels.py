"""Groups of subreddits by language: the 16 of the paper, by our own choice of subreddits that are written in the language.

They are data, to be kept up by hand: a subreddit that is renamed or closed gives fewer posts and no error.
"""

from collections.abc import Mapping
from typing import Final

CHANNELS: Final[Mapping[str, str]] = {
    "hr": "croatia+hrvatska",
    "cs": "czech+ceskoslovensko",
    "da": "Denmark+dkpolitik",
    "fi": "Suomi+arkisuomi",
    "fr": "france+AskFrance+Quebec",
    "de": "de+Austria+Finanzen",
    "hi": "Hindi+hindi_poetry",
    "it": "italy+ItaliaPersonalFinance+Libri",
    "no": "norge+norskpolitikk",
    "pl": "Polska+Polska_Polityka",
    "pt": "portugal+brasil+livros",
    "ro": "Romania+roFinance",
    "ru": "ru+rusAskReddit",
    "es": "es+espanol+argentina+mexico",
    "sv": "sweden+svenskpolitik",
    "tr": "Turkey+TurkishLiterature",
}
