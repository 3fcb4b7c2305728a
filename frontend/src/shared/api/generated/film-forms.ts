// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program
/** The forms for films, without their fields. */
export const filmForms = [
  {
    "key": "asian",
    "path": "/form-asian",
    "title": "Film submission: Asian Cinema",
    "lead": "For the awards to a debut Asian film and a debut Asian director."
  },
  {
    "key": "indian",
    "path": "/form-indian",
    "title": "Film submission: Indian Cinema",
    "lead": "For the award to a debut Indian film in any language, and for the Indian Panorama."
  },
  {
    "key": "malayalam",
    "path": "/form-malayalam",
    "title": "Film submission: Malayalam Cinema",
    "lead": "For the award to a debut Malayalam film: a director's first or second film."
  }
];
