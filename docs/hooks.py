"""Parts of pages that come from the code: `make docs` puts them where a page has <!-- generated: NAME -->.

Each metric also has a page that is generated as a whole, its measurement card; so has the schema of audits a file.
"""

import re

from generated import architecture, audit_schema, board, data, dictionary, metrics, options, settings
from mkdocs.structure.files import File

from biassay.core import registry
from biassay.studies.board import card

PARTS = {
    "board": board.format_values,
    "board_seeds": board.format_seeds,
    "data": data.format_sources,
    "dictionary": dictionary.format_dictionary,
    "metrics": metrics.format_metrics,
    "options": options.format_options,
    "packages": architecture.format_packages,
    "papers": data.format_papers,
    "settings": settings.format_settings,
    "stages": architecture.format_stages,
}
MARK = re.compile(r"<!-- generated: (\w+) -->")


def on_files(files, config):
    """Add the measurement card of each metric, and the schema of audits (a hook of MkDocs)."""
    for name in registry.names("metrics"):
        text = card.format_markdown(card.make_card(name))
        files.append(File.generated(config, f"cards/{name}.md", content=text))
    files.append(File.generated(config, "audit.schema.json", content=audit_schema.format_schema()))
    return files


def on_page_markdown(markdown, **_):
    """Fill in the parts of a page (a hook of MkDocs)."""
    return MARK.sub(lambda mark: PARTS[mark[1]](), markdown)
