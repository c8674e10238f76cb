"""Rich's console, which shows nothing that a terminal would obey but its own colours."""

from typing import Any

from rich import console
from rich.text import Text

from querymix.terminal import visible


class Console(console.Console):
    """A console for texts that may hold a file's name, a setting, or what a topic or a log holds."""

    def render_str(self, text: str, **look: Any) -> Text:
        """Return what is shown of a text; cells of tables and titles come here too."""
        return super().render_str(visible(text), **look)
