//! The API's description, made from what is mounted: it cannot promise a path that is not there.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::site::Site;
use festival_base::error::ErrorBody;

/// The OpenAPI 3.1 document of the endpoints that are switched on.
pub(crate) fn document(site: &Site) -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| settings.definitions_path = "/components/schemas".into())
        // Answers are described as they are written: what is left out where it is empty is not promised.
        .for_serialize()
        .into_generator();
    let error = generator.subschema_for::<ErrorBody>();
    let mut paths = Map::new();
    for endpoint in site.contents.endpoints.iter() {
        let mut parameters: Vec<Value> = endpoint
            .path
            .holes()
            .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": path_schema(name) }))
            .collect();
        parameters.extend(endpoint.query.iter().map(|(name, meaning)| {
            json!({ "name": name, "in": "query", "description": meaning, "schema": { "type": "integer" } })
        }));
        let schema = endpoint.schema(&mut generator);
        let failed =
            json!({ "description": "What went wrong.", "content": { "application/json": { "schema": error } } });
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
            .map(|(place, name, meaning)| {
                json!({ "name": name, "in": place, "description": meaning, "schema": { "type": "string" } })
            })
            .collect();
        let answer = post.answer(&mut generator);
        let success = json!({ "description": "It is kept.", "content": { "application/json": { "schema": answer } } });
        let failed =
            json!({ "description": "What went wrong.", "content": { "application/json": { "schema": error } } });
        let described = json!({
            "summary": post.summary,
            "parameters": parameters,
            "requestBody": { "required": true, "content": { post.content_type: { "schema": post.body } } },
            "responses": { post.success.code.to_string(): success, "default": failed },
        });
        let item = paths.entry(post.path.for_openapi() + "/").or_insert_with(|| json!({}));
        item["post"] = described;
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
