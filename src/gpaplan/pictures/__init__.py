"""Pictures of states, by the rules of `gpaplan.pictures.scene`: ``draw(task)``, or ``draw(task, state, look=…)``."""

from gpaplan.pictures.drawing import draw
from gpaplan.pictures.scene import Look, read_look

__all__ = ["Look", "draw", "read_look"]
