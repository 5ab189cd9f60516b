"""How Sphinx builds the site; `make docs` runs it."""

from __future__ import annotations

from docutils.nodes import Element
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

import cluedo

project = "Cluedo"
author = "the authors of Cluedo"
project_copyright = "the authors of Cluedo, MIT licence"
release = version = cluedo.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "results"]
source_suffix = {".md": "markdown"}

html_theme = "furo"
html_title = "Cluedo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": True}

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

autodoc_inherit_docstrings = False  # what all commands share is said once, with their base
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_type_aliases = {"Command": "cluedo.Command"}
autodoc_preserve_defaults = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

nitpicky = True
nitpick_ignore_regex = [
    (
        r"py:.*",
        r"(abc|collections|enum|gymnasium|networkx|numpy|pathlib|pettingzoo|pydantic|pyspiel|random)\..*",
    ),  # looking these up would need a network
    (r"py:class", r"cluedo\..*\.(_\w+|Entry|FileForm|Phrase)"),  # bases of classes that have no page
    (r"py:mod", r"cluedo\..*"),  # not every module has a page
    (r"py:attr", r".*"),  # attributes are described with their class, without an anchor each
]


def setup(app: Sphinx) -> None:
    """Adjust how docstrings are read."""
    app.connect("missing-reference", _by_last_part)
    app.connect("autodoc-process-docstring", _without_types, priority=400)  # before napoleon
    app.connect("autodoc-skip-member", _says_nothing)
    app.connect("autodoc-process-bases", _public_bases)


def _says_nothing(_app: Sphinx, _what: str, name: str, member: object, _skip: bool, _options: object) -> bool | None:
    """Leave out pydantic's settings and the fields of named tuples, which their class describes."""
    field = (getattr(member, "__doc__", None) or "").startswith("Alias for field number")
    return True if field or name == "model_config" else None


def _public_bases(_app: Sphinx, _name: str, _obj: object, _options: object, bases: list[type]) -> None:
    """Name the bases that readers can look up: in the place of a private one, what that is made of."""
    while private := [base for base in bases if isinstance(base, type) and base.__name__.startswith("_")]:
        for base in private:
            at = bases.index(base)
            bases[at : at + 1] = [above for above in base.__bases__ if above is not object and above not in bases]
    bases[:] = bases or [object]


def _without_types(_app: Sphinx, what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    """Keep napoleon from taking what stands before a colon for the type of an attribute."""
    if what in ("attribute", "property") and lines:
        lines[0] = lines[0].replace(": ", " – ", 1)


def _by_last_part(app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: Element) -> Element | None:
    """Names in docstrings may be short; types in signatures need no page."""
    if node.get("refdomain") != "py":
        return None
    found = env.domains.python_domain.find_obj(env, "", "", node["reftarget"], node["reftype"], 1)
    places = {(entry.docname, entry.node_id) for _, entry in found}
    if len(places) == 1:
        ((page, anchor),) = places
        return make_refnode(app.builder, node["refdoc"], page, anchor, contnode)
    written = "refexplicit" in node  # by somebody, in a docstring or on a page; else it is a type in a signature
    return None if written else contnode
