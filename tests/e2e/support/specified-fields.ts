// The fields of the specification, in its order, written out.

/** The texts of a film submission. */
export const filmTexts = [
  'title_original',
  'title_english',
  'film_language',
  'subtitles',
  'film_type',
  'is_first_or_second_feature',
  'duration_minutes',
  'year_of_production',
  'country_of_origin',
  'technical_features',
  'origination_format',
  'presentation_format',
  'producer_name',
  'producer_email',
  'producer_mobile',
  'director_name',
  'director_email',
  'director_mobile',
  'biography',
  'screener_link',
  'screener_link_password',
  'synopsis_long',
  'synopsis_short',
  'stills_link',
  'cast_and_crew',
  'name_of_submitter',
  'correspondence_contact',
  'correspondence_email',
];
/** The files of a film submission. */
export const filmFiles = ['film_poster', 'director_photo', 'producer_consent', 'documentation', 'signature', 'screenshot'];
/** The texts of a delegate. */
export const delegateTexts = ['name', 'email', 'mobile', 'address', 'age', 'occupation', 'category', 'transaction_details'];
