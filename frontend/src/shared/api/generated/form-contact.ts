// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program
import type { FormDescription } from './forms.ts';

export const contact: FormDescription = {
  "key": "contact",
  "path": "/contact-us",
  "api_path": "/contact/",
  "files_path": "",
  "title": "Contact us",
  "lead": "Write to the festival office. We answer by e-mail.",
  "fee": "none",
  "sections": [
    {
      "title": "",
      "text": [],
      "fields": [
        "name",
        "email",
        "contact",
        "message"
      ]
    }
  ],
  "fields": [
    {
      "name": "name",
      "label": "Name",
      "kind": "text",
      "required": false,
      "placeholder": "Your name",
      "hint": "",
      "default": "",
      "max_characters": 300,
      "words": 0,
      "min": null,
      "max": null,
      "choices": [],
      "accept": "",
      "max_bytes": 0
    },
    {
      "name": "email",
      "label": "E-mail",
      "kind": "email",
      "required": false,
      "placeholder": "name@example.org",
      "hint": "",
      "default": "",
      "max_characters": 254,
      "words": 0,
      "min": null,
      "max": null,
      "choices": [],
      "accept": "",
      "max_bytes": 0
    },
    {
      "name": "contact",
      "label": "Contact number",
      "kind": "phone",
      "required": false,
      "placeholder": "+91 00000 00000",
      "hint": "",
      "default": "",
      "max_characters": 0,
      "words": 0,
      "min": null,
      "max": null,
      "choices": [],
      "accept": "",
      "max_bytes": 0
    },
    {
      "name": "message",
      "label": "Message",
      "kind": "lines",
      "required": false,
      "placeholder": "What would you like to tell us?",
      "hint": "",
      "default": "",
      "max_characters": 10000,
      "words": 0,
      "min": null,
      "max": null,
      "choices": [],
      "accept": "",
      "max_bytes": 0
    }
  ]
};
