// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program
/** The modules that can be switched off. */
export type ModuleName = "festivals" | "films" | "content" | "magazines" | "forms" | "programme" | "selection";
