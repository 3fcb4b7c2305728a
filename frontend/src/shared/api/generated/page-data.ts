// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program
/** What a page shows, by its template: paths of the API with the parameters of its address. */
export const pageData: Record<string, string[]> = {
  "about": [
    "/pages/about-us/"
  ],
  "blog": [
    "/blog/{id}/"
  ],
  "blogs": [
    "/blogs/"
  ],
  "contact": [
    "/forms/"
  ],
  "films": [
    "/categories/"
  ],
  "films-category": [
    "/categories/{id}/films/parts/1/"
  ],
  "films-index": [
    "/categories/{id}/a-z/"
  ],
  "form": [
    "/forms/"
  ],
  "form-asian": [
    "/forms/"
  ],
  "form-indian": [
    "/forms/"
  ],
  "form-malayalam": [
    "/forms/"
  ],
  "history": [
    "/history/"
  ],
  "ifff": [
    "/pages/ifff-9th/",
    "/sessions/ifff-9th/"
  ],
  "isff": [
    "/pages/isff-2025/",
    "/sessions/isff-2025/",
    "/packages/isff-2025/"
  ],
  "kottaka": [
    "/kottaka-magazines/"
  ],
  "ndsf": [
    "/winners/",
    "/pages/ndsf-2025/",
    "/sessions/ndsf-2025/"
  ],
  "privacy": [
    "/pages/privacy-and-terms/"
  ],
  "programme": [
    "/programme/",
    "/programme/today/"
  ],
  "submit-entry": [
    "/pages/submit-entry/"
  ],
  "team": [
    "/team/"
  ],
  "twenty": [
    "/namesakes/",
    "/awards/",
    "/pages/twenty/"
  ]
};
