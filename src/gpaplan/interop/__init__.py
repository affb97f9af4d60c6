"""Problems of other libraries, as tasks of gpaplan.

unified_planning  `from_unified_planning`: a problem of the library unified-planning, and plans back to it

Each module needs the library that it is about, and nothing else in gpaplan does.
"""
