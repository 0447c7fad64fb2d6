// Nothing is declared: this target only has to be linked.
