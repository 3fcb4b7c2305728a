//! The OpenAPI document, generated from the mounted endpoints, so that it lists exactly what exists.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::site::Site;
use festival_base::error::ErrorBody;

/// Name of the schema of the response of `/site/`.
const SITE: &str = "Site";

/// Returns the OpenAPI 3.1 document of the endpoints of all enabled modules.
pub(crate) fn document(site: &Site) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        // Describe the serialised form: a field that is left out when empty is not required.
        .for_serialize()
        .into_generator();
    let error = generator.subschema_for::<ErrorBody>();
    let failed = json!({ "description": "What went wrong.", "content": { "application/json": { "schema": error } } });
    let mut paths = Map::new();
    for endpoint in site.contents.endpoints.iter() {
        let mut parameters: Vec<Value> = endpoint
            .path
            .parameter_names()
            .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": path_schema(name) }))
            .collect();
        parameters.extend(endpoint.query.iter().map(|(name, description, schema)| {
            json!({ "name": name, "in": "query", "description": description, "schema": schema })
        }));
        let schema = (endpoint.schema)(&mut generator);
        let mut path = endpoint.path.for_openapi();
        if !path.ends_with(".json") {
            path.push('/');
        }
        paths.insert(
            path,
            json!({ "get": {
                "summary": endpoint.summary,
                "parameters": parameters,
                "responses": {
                    "200": { "description": endpoint.summary, "content": { "application/json": { "schema": schema } } },
                    "304": { "description": "Not changed since the ETag of If-None-Match." },
                    "default": failed,
                },
            } }),
        );
    }
    for post in site.contents.posts.iter() {
        let parameters: Vec<Value> = post
            .reads
            .iter()
            .map(|(place, name, description)| {
                json!({ "name": name, "in": place, "description": description, "schema": { "type": "string" } })
            })
            .collect();
        let schema = (post.schema)(&mut generator);
        let success =
            json!({ "description": "Received and stored.", "content": { "application/json": { "schema": schema } } });
        let operation = json!({
            "summary": post.summary,
            "parameters": parameters,
            "requestBody": { "required": true, "content": { post.content_type: { "schema": post.body } } },
            "responses": { post.success.code.to_string(): success, "default": failed },
        });
        let item = paths.entry(post.path.for_openapi() + "/").or_insert_with(|| json!({}));
        item["post"] = operation;
    }
    // The facts that modules add are fields of the site's.
    if let Some(mut schema) = generator.definitions_mut().get_mut(SITE).map(Value::take) {
        site.contents.facts.iter().for_each(|facts| facts.describe(&mut generator, &mut schema));
        generator.definitions_mut().insert(SITE.to_owned(), schema);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": format!("{} API", site.settings.product.full_name),
            "version": env!("CARGO_PKG_VERSION"),
        },
        "servers": [{ "url": site.settings.api.mount }],
        "paths": paths,
        "components": { "schemas": generator.take_definitions(true) },
    })
}

fn path_schema(name: &str) -> Value {
    json!({ "type": if name == "slug" { "string" } else { "integer" } })
}
