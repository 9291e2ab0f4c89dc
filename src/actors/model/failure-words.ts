/** How servers say that a request does not fit the window of the model. */
export const OVERFLOW =
  /context[ _]length|context[ _](window|size)|maximum (context|(model|prompt) length)|too many tokens|prompt is too long|input is too long|exceeds? the (maximum|model's|limit)[^.]*tokens|token count[^.]*exceeds|tokens \+ .max_new_tokens|exceed_context/i;
/** How a provider, or its client, refuses an image for a model that takes none, or an image that it cannot read. */
export const IMAGES = /\bimages?\b|image_url|input_image|\bvision\b|multimodal|media type|content must be a string/i;
export const REFUSES_IMAGES = new Set([400, 404, 415, 422, 500, 501]);
export const WITHOUT_IMAGES =
  'The model does not take such images: leave --image out, or name a model that does with -m';
export const NO_MONEY =
  /insufficient_quota|billing|credit balance|exceeded your current quota, please check your plan/i;
/** How a filter for what is asked refuses a request: OpenAI and Azure, Anthropic, OpenRouter, Alibaba. */
export const FILTERED =
  /content[_ -]?filter|content (management|moderation) polic|ResponsibleAIPolicy|content_policy_violation|data_inspection_failed|input was flagged|flagged_input/i;
/** How a provider refuses what goes beyond an amount for a day, a month or a plan. */
export const USED_UP = /usage[ _]limit|spend(?:ing)?[ _]limit|quota|\blimit[^.]*\b(?:resets?|reset)\b|regain access/i;
/** How a provider says that it has no such model. */
export const NO_MODEL =
  /model_not_found|(?:no such|unknown|invalid) model|\bmodel\b[^.]{0,80}(?:does not exist|not found|is not (?:available|a valid))/i;
