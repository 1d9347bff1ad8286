"""A small simulated network in three languages, from a few sentences of our own."""

from bench.truc_network import Network, Parameters

SENTENCES = {
    "en": [
        "The harvestman walks through the grass on eight thin legs and eats what it finds.",
        "We went to the market this morning and bought fresh bread, apples and some cheese.",
        "Nobody knows why the old bridge was closed, but the council will meet next week.",
    ],
    "id": [
        "Pagi ini kami pergi ke pasar untuk membeli sayur dan ikan segar bersama ibu.",
        "Anak-anak bermain bola di lapangan dekat sekolah sampai matahari terbenam kemarin.",
        "Pemerintah daerah akan memperbaiki jalan yang rusak karena banjir tahun lalu.",
    ],
    "de": [
        "Der Weberknecht läuft auf acht dünnen Beinen durch das Gras und frisst, was er findet.",
        "Heute Morgen haben wir auf dem Markt frisches Brot, Äpfel und ein Stück Käse gekauft.",
        "Niemand weiß, warum die alte Brücke gesperrt wurde, aber der Rat tagt nächste Woche.",
    ],
}


def villages(users: int = 300, homophily: float = 0.7, *, long_timeline: bool = False) -> Network:
    """Few users, who all write a little and follow a few others."""
    mix = {"en": 0.6, "id": 0.2, "de": 0.2}
    parameters = Parameters(
        homophily, users, mix=mix, median_degree=6, mean_messages=6, tag_messages=60,
        timeline_messages=130 if long_timeline else 30,
    )  # fmt: skip
    return Network(SENTENCES, parameters)
