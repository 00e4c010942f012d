"""Small word lists and templates for the generator, whose sentences say by their first word what they are."""

import yaml

GROUPS = {"religion": {"ra": ["ra1", "ra2", "ra3"], "rb": ["rb1", "rb2"]}, "ethnicity": {"ea": ["ea1", "ea2"]}}
GROUPS["ethnicity"] |= {"eb": ["eb1", "eb2"], "ec": ["ec1", "ec2", "ec3"]}
TRAITS = {"pleasant": ["kind", "calm"], "unpleasant": ["rude", "vain", "mean"]}
NAMES = {"female": ["ann", "eve"], "male": ["bob", "jim"], "last": ["doe", "roe", "poe"]}
SLOTS = {"subj": [["she", "he"]], "kin": [["aunt", "uncle"], ["niece", "nephew"], ["mother", "father"]]}
TEMPLATES = {
    "gendered": ["gendered {occ} {subj} {kin} {name} {noun} {noun2}", "gendered {occ} {subj} {a_occ} {last}"],
    "neutral": ["neutral {occ} {noun} {verb} {verb2} {adj} {adj2} {place}"],
    "confounder": ["confounder {occ} {partner} {a_occ} {a_partner} {noun}"],
    "gender_only": ["gender_only {subj} {kin} {name} {thing}"],
    "groups": ["groups {trait} {group} {group2}"],
    "domain": ["domain {noun} {noun2} {verb} {adj} {place}"],
    "daily": ["daily {thing} {did} {kind} {spot} {adv} {time} {town} {last}"],
}
SIZES = {"nouns": 4, "verbs": 3, "adjectives": 2, "places": 2}
DOMAINS = {
    domain: {key: [f"{domain}{key}{i}" for i in range(n)] for key, n in SIZES.items()} for domain in ("sea", "law")
}
DAILY = {key: [f"{key}{i}" for i in range(5)] for key in ("nouns", "verbs", "adjectives", "places")}
DAILY |= {key: [f"{key}{i}" for i in range(3)] for key in ("adverbs", "times", "towns")}


def write(folder, rows):
    """Lists, with occupations as rows (word, mark, domain), and templates.yaml, in a folder."""
    text = "\n".join(["word,mark,domain", *(",".join(row) for row in rows)])
    (folder / "occupations.csv").write_text(text + "\n")
    contents = {kind: {"groups": groups} for kind, groups in GROUPS.items()}
    contents |= {"traits": TRAITS, "names": NAMES, "gender_slots": SLOTS, "templates": TEMPLATES}
    contents["domains"] = {"domains": DOMAINS, "daily": DAILY}
    for name, content in contents.items():
        (folder / f"{name}.yaml").write_text(yaml.safe_dump({"source": "test", **content}))
    return folder


def statistics(folder, name, percentages):
    """A file of percentages of women by word."""
    path = folder / f"{name}.csv"
    path.write_text("word,percent_female\n" + "".join(f"{word},{value}\n" for word, value in percentages.items()))
    return path
