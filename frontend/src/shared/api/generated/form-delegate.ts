// Written by `make types` from the program's own types; not to be edited.
// biome-ignore-all format: written by a program
// biome-ignore-all assist: written by a program
import type { FormDescription } from './forms.ts';

export const delegate: FormDescription = {
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
  "fields": [
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
      "max_bytes": 0
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
      "max_bytes": 0
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
      "max_bytes": 0
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
      "max_bytes": 0
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
      "max_bytes": 0
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
      "max_bytes": 0
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
      "max_bytes": 0
    },
    {
      "name": "transaction_details",
      "label": "Transaction details",
      "kind": "lines",
      "required": true,
      "placeholder": "Transaction number, date, bank or app",
      "hint": "As your bank or app shows them. Best is the UTR: 12 digits with UPI, 16 characters with NEFT, 22 with RTGS.",
      "default": "",
      "max_characters": 1000,
      "words": 0,
      "min": null,
      "max": null,
      "choices": [],
      "accept": "",
      "max_bytes": 0
    },
    {
      "name": "screenshot",
      "label": "Screenshot of the payment",
      "kind": "file",
      "required": true,
      "placeholder": "",
      "hint": "JPEG, PNG or WebP, less than 5 MB.",
      "default": "",
      "max_characters": 0,
      "words": 0,
      "min": null,
      "max": null,
      "choices": [],
      "accept": "image/jpeg,image/png,image/webp,image/gif,image/bmp",
      "max_bytes": 5242880
    },
    {
      "name": "signature",
      "label": "Signature",
      "kind": "file",
      "required": true,
      "placeholder": "",
      "hint": "A picture of your signature. JPEG, PNG or WebP, less than 5 MB.",
      "default": "",
      "max_characters": 0,
      "words": 0,
      "min": null,
      "max": null,
      "choices": [],
      "accept": "image/jpeg,image/png,image/webp,image/gif,image/bmp",
      "max_bytes": 5242880
    },
    {
      "name": "image",
      "label": "Your photo (optional)",
      "kind": "file",
      "required": false,
      "placeholder": "",
      "hint": "For the delegate card. JPEG, PNG or WebP, less than 5 MB.",
      "default": "",
      "max_characters": 0,
      "words": 0,
      "min": null,
      "max": null,
      "choices": [],
      "accept": "image/jpeg,image/png,image/webp,image/gif,image/bmp",
      "max_bytes": 5242880
    }
  ]
};
