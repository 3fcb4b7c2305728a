// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program
export type FormKey = 'delegate' | 'asian' | 'indian' | 'malayalam' | 'contact';

/** The kind of a field, which decides its input and its validation. */
export type FieldKind =
  | 'text'
  | 'lines'
  | 'email'
  | 'phone'
  | 'link'
  | 'integer'
  | 'year'
  | 'choice'
  | 'membership'
  | 'file';

export interface FormChoice {
  /** Unique among the choices of the field. */
  key: string;
  /** The value that is sent. */
  value: string;
  label: string;
}

export interface FormField {
  name: string;
  label: string;
  kind: FieldKind;
  required: boolean;
  placeholder: string;
  hint: string;
  /** The value that is sent if the field is left empty. */
  default: string;
  /** Characters above which a text is unusual; 0: no limit. */
  max_characters: number;
  /** Maximum number of words; 0: no limit. */
  words: number;
  /** Whole numbers: the usual range, inclusive. A year is usual up to next year. */
  min: number | null;
  max: number | null;
  /** The choices of a `choice`; those of a `membership` are the memberships in `/site/`. */
  choices: FormChoice[];
  /** Files: the types that the file dialogue offers, and the maximum size. */
  accept: string;
  max_bytes: number;
  /** The error if it is required and empty. */
  missing: string;
}

export interface FormSection {
  title: string;
  text: string[];
  /** Names of fields, in the order of the page. */
  fields: string[];
}

export interface FormDescription {
  key: FormKey;
  path: string;
  api_path: string;
  /** Path to upload its files to, one by one; empty if it takes none. */
  files_path: string;
  /** With the placeholders `{product}` and `{year}`. */
  title: string;
  lead: string;
  fee: 'none' | 'membership' | 'film' | 'film_or_dollars';
  sections: FormSection[];
  /** The fields in the order in which they are validated. */
  fields: FormField[];
}

/** Returns the fields with changes to some of them. */
function own(fields: FormField[], changes: Record<string, Partial<FormField>>): FormField[] {
  return fields.map((field) => ({ ...field, ...changes[field.name] }));
}

const delegateFields: FormField[] = [
  {
    "name": "name",
    "label": "Name",
    "kind": "text",
    "required": true,
    "placeholder": "Your full name",
    "hint": "",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in name"
  },
  {
    "name": "email",
    "label": "E-mail",
    "kind": "email",
    "required": true,
    "placeholder": "name@example.org",
    "hint": "",
    "default": "",
    "max_characters": 254,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in email"
  },
  {
    "name": "mobile",
    "label": "Mobile number",
    "kind": "phone",
    "required": true,
    "placeholder": "+91 00000 00000",
    "hint": "",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in mobile"
  },
  {
    "name": "address",
    "label": "Address",
    "kind": "lines",
    "required": true,
    "placeholder": "House, street, city, postal code",
    "hint": "",
    "default": "",
    "max_characters": 2000,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in address"
  },
  {
    "name": "age",
    "label": "Age",
    "kind": "integer",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": 1,
    "max": 120,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in age"
  },
  {
    "name": "occupation",
    "label": "Occupation",
    "kind": "text",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in occupation"
  },
  {
    "name": "category",
    "label": "Category of membership",
    "kind": "membership",
    "required": true,
    "placeholder": "",
    "hint": "The fee stands beside each category. Pay it first, then send this form.",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in category"
  },
  {
    "name": "transaction_details",
    "label": "Transaction details",
    "kind": "lines",
    "required": true,
    "placeholder": "Transaction number, date, bank or app",
    "hint": "As your bank or app shows them after the payment.",
    "default": "",
    "max_characters": 1000,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in transaction details"
  },
  {
    "name": "image",
    "label": "Your photo (optional)",
    "kind": "file",
    "required": false,
    "placeholder": "",
    "hint": "For the delegate card. JPEG, PNG or WebP, up to 5 MB.",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "image/jpeg,image/png,image/webp",
    "max_bytes": 5242880,
    "missing": "Please fill in image"
  },
  {
    "name": "screenshot",
    "label": "Screenshot of the payment",
    "kind": "file",
    "required": true,
    "placeholder": "",
    "hint": "JPEG, PNG or WebP, up to 5 MB.",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "image/jpeg,image/png,image/webp",
    "max_bytes": 5242880,
    "missing": "Please fill in screenshot"
  },
  {
    "name": "signature",
    "label": "Signature",
    "kind": "file",
    "required": true,
    "placeholder": "",
    "hint": "A picture of your signature. JPEG, PNG or WebP, up to 5 MB.",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "image/jpeg,image/png,image/webp",
    "max_bytes": 5242880,
    "missing": "Please fill in signature"
  }
];

const filmFields: FormField[] = [
  {
    "name": "title_original",
    "label": "Title of the film (original)",
    "kind": "text",
    "required": true,
    "placeholder": "In its own script",
    "hint": "",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in title original"
  },
  {
    "name": "title_english",
    "label": "Title of the film (English)",
    "kind": "text",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in title english"
  },
  {
    "name": "film_language",
    "label": "Language of the film",
    "kind": "text",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in film language"
  },
  {
    "name": "subtitles",
    "label": "English subtitles",
    "kind": "choice",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [
      {
        "key": "Yes",
        "value": "Yes",
        "label": "Yes"
      },
      {
        "key": "No",
        "value": "No",
        "label": "No"
      }
    ],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in subtitles"
  },
  {
    "name": "film_type",
    "label": "Type of film",
    "kind": "choice",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [
      {
        "key": "Fiction",
        "value": "Fiction",
        "label": "Fiction"
      },
      {
        "key": "Experimental",
        "value": "Experimental",
        "label": "Experimental"
      },
      {
        "key": "Documentary",
        "value": "Documentary",
        "label": "Documentary"
      },
      {
        "key": "Short Film",
        "value": "Short Film",
        "label": "Short Film"
      },
      {
        "key": "Feature Film",
        "value": "Feature Film",
        "label": "Feature Film"
      },
      {
        "key": "Others",
        "value": "Others",
        "label": "Others"
      }
    ],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in film type"
  },
  {
    "name": "is_first_or_second_feature",
    "label": "First or second feature of the director",
    "kind": "choice",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [
      {
        "key": "First",
        "value": "First",
        "label": "First"
      },
      {
        "key": "Second",
        "value": "Second",
        "label": "Second"
      },
      {
        "key": "No",
        "value": "No",
        "label": "No"
      }
    ],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in is first or second feature"
  },
  {
    "name": "duration_minutes",
    "label": "Duration in minutes",
    "kind": "integer",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": 1,
    "max": 1000,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in duration minutes"
  },
  {
    "name": "year_of_production",
    "label": "Year of production",
    "kind": "year",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": 1880,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in year of production"
  },
  {
    "name": "country_of_origin",
    "label": "Country of origin",
    "kind": "text",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in country of origin"
  },
  {
    "name": "technical_features",
    "label": "Technical features",
    "kind": "lines",
    "required": true,
    "placeholder": "Colour or black and white, aspect ratio, sound",
    "hint": "",
    "default": "",
    "max_characters": 2000,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in technical features"
  },
  {
    "name": "origination_format",
    "label": "Origination format",
    "kind": "text",
    "required": true,
    "placeholder": "What it was shot on",
    "hint": "",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in origination format"
  },
  {
    "name": "presentation_format",
    "label": "Presentation format",
    "kind": "text",
    "required": true,
    "placeholder": "",
    "hint": "Films are shown from DCP only.",
    "default": "DCP",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in presentation format"
  },
  {
    "name": "producer_name",
    "label": "Name of the producer",
    "kind": "text",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in producer name"
  },
  {
    "name": "producer_email",
    "label": "E-mail of the producer",
    "kind": "email",
    "required": true,
    "placeholder": "name@example.org",
    "hint": "",
    "default": "",
    "max_characters": 254,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in producer email"
  },
  {
    "name": "producer_mobile",
    "label": "Mobile number of the producer",
    "kind": "phone",
    "required": true,
    "placeholder": "+91 00000 00000",
    "hint": "",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in producer mobile"
  },
  {
    "name": "director_name",
    "label": "Name of the director",
    "kind": "text",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in director name"
  },
  {
    "name": "director_email",
    "label": "E-mail of the director",
    "kind": "email",
    "required": true,
    "placeholder": "name@example.org",
    "hint": "",
    "default": "",
    "max_characters": 254,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in director email"
  },
  {
    "name": "director_mobile",
    "label": "Mobile number of the director",
    "kind": "phone",
    "required": true,
    "placeholder": "+91 00000 00000",
    "hint": "",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in director mobile"
  },
  {
    "name": "biography",
    "label": "Biography of the director (up to 200 words)",
    "kind": "lines",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 20000,
    "words": 200,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in biography"
  },
  {
    "name": "screener_link",
    "label": "Link to the screener",
    "kind": "link",
    "required": true,
    "placeholder": "https://",
    "hint": "A link under which the jury can see the whole film.",
    "default": "",
    "max_characters": 2000,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in screener link"
  },
  {
    "name": "screener_link_password",
    "label": "Password of the screener link (NO is set if there is none)",
    "kind": "text",
    "required": true,
    "placeholder": "Leave it empty if there is none",
    "hint": "",
    "default": "NO",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in screener link password"
  },
  {
    "name": "synopsis_long",
    "label": "Long synopsis (up to 300 words)",
    "kind": "lines",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 20000,
    "words": 300,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in synopsis long"
  },
  {
    "name": "synopsis_short",
    "label": "Short synopsis (up to 100 words)",
    "kind": "lines",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 20000,
    "words": 100,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in synopsis short"
  },
  {
    "name": "stills_link",
    "label": "Link to stills",
    "kind": "link",
    "required": true,
    "placeholder": "https://",
    "hint": "A folder with stills of the film in print quality.",
    "default": "",
    "max_characters": 2000,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in stills link"
  },
  {
    "name": "cast_and_crew",
    "label": "Cast and crew",
    "kind": "lines",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 20000,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in cast and crew"
  },
  {
    "name": "name_of_submitter",
    "label": "Name of the submitter",
    "kind": "text",
    "required": true,
    "placeholder": "",
    "hint": "",
    "default": "",
    "max_characters": 300,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in name of submitter"
  },
  {
    "name": "correspondence_contact",
    "label": "Telephone number for correspondence",
    "kind": "phone",
    "required": true,
    "placeholder": "+91 00000 00000",
    "hint": "",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in correspondence contact"
  },
  {
    "name": "correspondence_email",
    "label": "E-mail for correspondence",
    "kind": "email",
    "required": true,
    "placeholder": "name@example.org",
    "hint": "The receipt goes to this address.",
    "default": "",
    "max_characters": 254,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "",
    "max_bytes": 0,
    "missing": "Please fill in correspondence email"
  },
  {
    "name": "film_poster",
    "label": "Poster of the film (less than 5 MB)",
    "kind": "file",
    "required": true,
    "placeholder": "",
    "hint": "JPEG, PNG or WebP, up to 5 MB.",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "image/jpeg,image/png,image/webp",
    "max_bytes": 5242880,
    "missing": "Please fill in film poster"
  },
  {
    "name": "director_photo",
    "label": "Photo of the director (less than 5 MB)",
    "kind": "file",
    "required": true,
    "placeholder": "",
    "hint": "JPEG, PNG or WebP, up to 5 MB.",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "image/jpeg,image/png,image/webp",
    "max_bytes": 5242880,
    "missing": "Please fill in director photo"
  },
  {
    "name": "producer_consent",
    "label": "Consent of the producer (less than 5 MB)",
    "kind": "file",
    "required": true,
    "placeholder": "",
    "hint": "PDF, JPEG, PNG or WebP, up to 5 MB.",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "image/jpeg,image/png,image/webp,application/pdf",
    "max_bytes": 5242880,
    "missing": "Please fill in producer consent"
  },
  {
    "name": "documentation",
    "label": "Documentation (less than 5 MB)",
    "kind": "file",
    "required": true,
    "placeholder": "",
    "hint": "PDF, JPEG, PNG or WebP, up to 5 MB.",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "image/jpeg,image/png,image/webp,application/pdf",
    "max_bytes": 5242880,
    "missing": "Please fill in documentation"
  },
  {
    "name": "signature",
    "label": "Signature of the submitter (less than 5 MB)",
    "kind": "file",
    "required": true,
    "placeholder": "",
    "hint": "JPEG, PNG or WebP, up to 5 MB.",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "image/jpeg,image/png,image/webp",
    "max_bytes": 5242880,
    "missing": "Please fill in signature"
  },
  {
    "name": "screenshot",
    "label": "Screenshot of the payment (less than 5 MB)",
    "kind": "file",
    "required": true,
    "placeholder": "",
    "hint": "JPEG, PNG or WebP, up to 5 MB.",
    "default": "",
    "max_characters": 0,
    "words": 0,
    "min": null,
    "max": null,
    "choices": [],
    "accept": "image/jpeg,image/png,image/webp",
    "max_bytes": 5242880,
    "missing": "Please fill in screenshot"
  }
];

const messageFields: FormField[] = [
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
    "max_bytes": 0,
    "missing": "Please fill in name"
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
    "max_bytes": 0,
    "missing": "Please fill in email"
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
    "max_bytes": 0,
    "missing": "Please fill in contact"
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
    "max_bytes": 0,
    "missing": "Please fill in message"
  }
];

export const forms: Record<FormKey, FormDescription> = {
  "delegate": {
    "key": "delegate",
    "path": "/form",
    "api_path": "/delegate-form/",
    "files_path": "/forms/delegate/files/",
    "title": "DELEGATE / MEMBER FORM - {product} {year}",
    "lead": "Register as a delegate or become a member. Every field must be filled, only the photo is optional.",
    "fee": "membership",
    "sections": [
      {
        "title": "About you",
        "text": [],
        "fields": [
          "name",
          "email",
          "mobile",
          "address",
          "age",
          "occupation",
          "image"
        ]
      },
      {
        "title": "Membership and payment",
        "text": [
          "Pay the fee by bank transfer or UPI, then tell us the transaction and add a screenshot of it."
        ],
        "fields": [
          "category",
          "transaction_details",
          "screenshot"
        ]
      },
      {
        "title": "Signature",
        "text": [],
        "fields": [
          "signature"
        ]
      }
    ],
    "fields": delegateFields
  },
  "asian": {
    "key": "asian",
    "path": "/form-asian",
    "api_path": "/changed/",
    "files_path": "/forms/film/files/",
    "title": "Film submission: Asian Cinema",
    "lead": "For the awards to a debut Asian film and a debut Asian director.",
    "fee": "film_or_dollars",
    "sections": [
      {
        "title": "Film Details",
        "text": [],
        "fields": [
          "title_original",
          "title_english",
          "film_language",
          "subtitles",
          "film_type",
          "is_first_or_second_feature",
          "duration_minutes",
          "year_of_production",
          "country_of_origin",
          "technical_features",
          "origination_format",
          "presentation_format"
        ]
      },
      {
        "title": "Producer/Director Details",
        "text": [],
        "fields": [
          "producer_name",
          "producer_email",
          "producer_mobile",
          "director_name",
          "director_email",
          "director_mobile",
          "director_photo",
          "biography",
          "screener_link",
          "screener_link_password"
        ]
      },
      {
        "title": "Film Information",
        "text": [],
        "fields": [
          "synopsis_long",
          "synopsis_short",
          "stills_link",
          "cast_and_crew",
          "film_poster"
        ]
      },
      {
        "title": "Declaration",
        "text": [
          "What is said in this form is true and complete.",
          "The festival may publish the contact details of the production company in its catalogue and on its site.",
          "Telephone numbers, addresses, documents and the screener are seen by the organisers and the jury only.",
          "The rules of the award have been read and are accepted."
        ],
        "fields": [
          "name_of_submitter",
          "correspondence_contact",
          "correspondence_email",
          "producer_consent",
          "documentation",
          "signature"
        ]
      },
      {
        "title": "Payment Verification",
        "text": [
          "Pay the entry fee first, then add a screenshot of the payment."
        ],
        "fields": [
          "screenshot"
        ]
      }
    ],
    "fields": own(filmFields, {
  "is_first_or_second_feature": {
    "choices": [
      {
        "key": "First",
        "value": "First",
        "label": "First"
      },
      {
        "key": "Second",
        "value": "Second",
        "label": "Second"
      },
      {
        "key": "No",
        "value": "No",
        "label": "No"
      }
    ]
  }
})
  },
  "indian": {
    "key": "indian",
    "path": "/form-indian",
    "api_path": "/changed/",
    "files_path": "/forms/film/files/",
    "title": "Film submission: Indian Cinema",
    "lead": "For the award to a debut Indian film in any language, and for the Indian Panorama.",
    "fee": "film",
    "sections": [
      {
        "title": "Film Details",
        "text": [],
        "fields": [
          "title_original",
          "title_english",
          "film_language",
          "subtitles",
          "film_type",
          "is_first_or_second_feature",
          "duration_minutes",
          "year_of_production",
          "country_of_origin",
          "technical_features",
          "origination_format",
          "presentation_format"
        ]
      },
      {
        "title": "Producer/Director Details",
        "text": [],
        "fields": [
          "producer_name",
          "producer_email",
          "producer_mobile",
          "director_name",
          "director_email",
          "director_mobile",
          "director_photo",
          "biography",
          "screener_link",
          "screener_link_password"
        ]
      },
      {
        "title": "Film Information",
        "text": [],
        "fields": [
          "synopsis_long",
          "synopsis_short",
          "stills_link",
          "cast_and_crew",
          "film_poster"
        ]
      },
      {
        "title": "Declaration",
        "text": [
          "What is said in this form is true and complete.",
          "The festival may publish the contact details of the production company in its catalogue and on its site.",
          "Telephone numbers, addresses, documents and the screener are seen by the organisers and the jury only.",
          "The rules of the award have been read and are accepted."
        ],
        "fields": [
          "name_of_submitter",
          "correspondence_contact",
          "correspondence_email",
          "producer_consent",
          "documentation",
          "signature"
        ]
      },
      {
        "title": "Payment Verification",
        "text": [
          "Pay the entry fee first, then add a screenshot of the payment."
        ],
        "fields": [
          "screenshot"
        ]
      }
    ],
    "fields": own(filmFields, {
  "is_first_or_second_feature": {
    "choices": [
      {
        "key": "First",
        "value": "First",
        "label": "First"
      },
      {
        "key": "Second",
        "value": "Second",
        "label": "Second"
      },
      {
        "key": "Indian_Panorama",
        "value": "Indian_Panorama",
        "label": "Indian Panorama"
      }
    ]
  }
})
  },
  "malayalam": {
    "key": "malayalam",
    "path": "/form-malayalam",
    "api_path": "/changed/",
    "files_path": "/forms/film/files/",
    "title": "Film submission: Malayalam Cinema",
    "lead": "For the award to a debut Malayalam film: a director's first or second film.",
    "fee": "film",
    "sections": [
      {
        "title": "Film Details",
        "text": [],
        "fields": [
          "title_original",
          "title_english",
          "film_language",
          "subtitles",
          "film_type",
          "is_first_or_second_feature",
          "duration_minutes",
          "year_of_production",
          "country_of_origin",
          "technical_features",
          "origination_format",
          "presentation_format"
        ]
      },
      {
        "title": "Producer/Director Details",
        "text": [],
        "fields": [
          "producer_name",
          "producer_email",
          "producer_mobile",
          "director_name",
          "director_email",
          "director_mobile",
          "director_photo",
          "biography",
          "screener_link",
          "screener_link_password"
        ]
      },
      {
        "title": "Film Information",
        "text": [],
        "fields": [
          "synopsis_long",
          "synopsis_short",
          "stills_link",
          "cast_and_crew",
          "film_poster"
        ]
      },
      {
        "title": "Declaration",
        "text": [
          "What is said in this form is true and complete.",
          "The festival may publish the contact details of the production company in its catalogue and on its site.",
          "Telephone numbers, addresses, documents and the screener are seen by the organisers and the jury only.",
          "The rules of the award have been read and are accepted."
        ],
        "fields": [
          "name_of_submitter",
          "correspondence_contact",
          "correspondence_email",
          "producer_consent",
          "documentation",
          "signature"
        ]
      },
      {
        "title": "Payment Verification",
        "text": [
          "Pay the entry fee with the QR code or to the UPI ID, then upload the payment screenshot."
        ],
        "fields": [
          "screenshot"
        ]
      }
    ],
    "fields": own(filmFields, {
  "is_first_or_second_feature": {
    "choices": [
      {
        "key": "first_film",
        "value": "First",
        "label": "First Film"
      },
      {
        "key": "second_film",
        "value": "Second",
        "label": "Second Film"
      },
      {
        "key": "neither",
        "value": "Second",
        "label": "No"
      }
    ]
  }
})
  },
  "contact": {
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
    "fields": messageFields
  }
};

/** The texts and times that every form shares. */
export const texts = {
  "submit": "Submit Form",
  "submitting": "Submitting...",
  "submitted": "Submitted",
  "success": "Form submitted successfully!",
  "failure": "Error submitting form!",
  "contact_success": "Message sent successfully!",
  "contact_failure": "Failed to send message. Please try again.",
  "consent": "I have read this notice and agree to it.",
  "consent_missing": "Please read the notice on personal data and tick the box below it",
  "not_an_email": "This is not an e-mail address like name@example.org",
  "link_runs": "Please give a web address, one that begins with https://",
  "read_as": "We read this as {read}. If it is right, send it as it is.",
  "not_read": "We could not read {what} here. If it is right, send it as it is.",
  "unusual": "This is unusual. If it is right, send it as it is.",
  "guardian": "Under 18, a parent or guardian has to agree before we use these data: please let them write to {contact}. You can send the form now.",
  "largest_text_bytes": 65536,
  "closed": "This form is closed. Submissions are not taken any more.",
  "toast_ms": 3000,
  "redirect_ms": 1500
};

/** Names of the fields that are sent in addition to those of the form. */
export const beside = {
  "award": "award_category",
  "declared_feature": "declared_feature_label",
  "consent": "consent",
  "notice": "consent_notice",
  "trap": "website",
  "elapsed": "elapsed_seconds"
};

