//! Metrics of the real program, on their own address.

use std::collections::BTreeSet;

use regex::Regex;
use serde_json::json;

use crate::support::{Server, festival, repository};

const TOKEN: &str = "an-example-of-a-token";

fn start_server(environment: &[(&str, &str)]) -> (tempfile::TempDir, Server) {
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(festival(directory.path(), &["seed", "--demo"], &[]).code, 0);
    let mut all = vec![("FESTIVAL_METRICS_ADDRESS", "127.0.0.1:0")];
    all.extend(environment);
    let server = Server::start(directory.path(), &all);
    (directory, server)
}

#[test]
fn every_alert_has_its_metric_and_metrics_hold_no_personal_data() {
    let (_directory, server) = start_server(&[]);
    let person =
        json!({ "name": "Asha Menon", "email": "asha@example.org", "message": "When does it begin?" }).to_string();
    let posted = server.send(&format!(
        "POST /api/contact/ HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{person}",
        server.address,
        person.len()
    ));
    assert_eq!(posted.status, 200, "{}", posted.text());
    for (path, status) in [
        ("/", 200),
        ("/", 200),
        ("/api/categories/", 200),
        ("/admin/sign-in", 200),
        ("/healthz", 200),
        ("/api/contact/?email=asha@example.org", 405),
        ("/no-such-page/asha@example.org", 404),
    ] {
        assert_eq!(server.get(path).status, status, "{path}");
    }
    let scrape = server.metrics("");
    assert_eq!(scrape.status, 200);
    assert!(scrape.header("Content-Type").starts_with("application/openmetrics-text"));
    let text = scrape.text();
    assert!(text.ends_with("# EOF\n"));
    for line in [
        "festival_forms_total{outcome=\"accepted\"} 1",
        "festival_requests_total{class=\"page\",status=\"2xx\"} 2",
        "festival_requests_total{class=\"form\",status=\"2xx\"} 1",
        "festival_requests_total{class=\"admin\",status=\"2xx\"} 1",
        "festival_requests_total{class=\"other\",status=\"4xx\"} 2",
        "festival_panics_total 0",
        "festival_database_up 1",
        "festival_last_backup_timestamp_seconds 0",
        "festival_upload_slots 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    }
    // Metric names and labels are fixed; nothing that a visitor sent becomes one.
    let sample = Regex::new(r#"^festival_[a-z_]+(\{([a-z]+="[a-z0-9.+-]+(Inf)?",?)+\})? [0-9.e+-]+$"#).unwrap();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        assert!(sample.is_match(line), "{line}");
    }
    for private in ["asha", "example", "127.0.0.1", "categories", "/"] {
        assert!(!text.to_lowercase().contains(private), "{private} in\n{text}");
    }
    // An alert on a metric that does not exist would never fire.
    let rules = std::fs::read_to_string(repository("config/alerts.yml")).unwrap();
    let name = Regex::new("festival_[a-z_]+").unwrap();
    let alerted: BTreeSet<&str> = name.find_iter(&rules).map(|found| found.as_str()).collect();
    let exported: BTreeSet<&str> =
        text.lines().filter_map(|line| line.split([' ', '{']).next()).filter(|name| *name != "#").collect();
    assert!(alerted.len() > 15);
    assert_eq!(alerted.difference(&exported).collect::<Vec<_>>(), Vec::<&&str>::new());
    // The public address does not serve metrics.
    assert_eq!(server.get("/metrics").status, 404);
}

#[test]
fn metrics_require_the_token_when_set() {
    let (_directory, server) = start_server(&[("FESTIVAL_METRICS_TOKEN", TOKEN)]);
    for (header, status) in [
        (String::new(), 401),
        (format!("Authorization: Bearer {TOKEN}x\r\n"), 401),
        (format!("Authorization: Bearer {}\r\n", &TOKEN[1..]), 401),
        (format!("Authorization: {TOKEN}\r\n"), 401),
        (format!("Authorization: Bearer {TOKEN}\r\n"), 200),
    ] {
        let response = server.metrics(&header);
        assert_eq!((response.status, response.text().contains("festival_")), (status, status == 200), "{header}");
    }
}
