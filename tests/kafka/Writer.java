/* A device with Kafka's own client: each line of standard input is a codec, a topic and a record, with tabs between them.
   The argument is a file of the client's properties. */

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

public class Writer {
    public static void main(String[] arguments) throws Exception {
        Properties given = new Properties();
        given.load(new FileReader(arguments[0]));
        Map<String, KafkaProducer<String, String>> producers = new HashMap<>();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] parts = line.split("\t", 3);
            KafkaProducer<String, String> producer = producers.computeIfAbsent(parts[0], codec -> {
                Properties own = new Properties();
                own.putAll(given);
                own.setProperty("compression.type", codec);
                own.setProperty("linger.ms", "50");
                return new KafkaProducer<>(own, new StringSerializer(), new StringSerializer());
            });
            ProducerRecord<String, String> record = new ProducerRecord<>(parts[1], "a key of its own", parts[2]);
            record.headers().add("trace", "00-4bf92f35".getBytes(StandardCharsets.UTF_8));
            producer.send(record, (stored, error) -> {
                if (error != null) {
                    System.err.println(error.getClass().getSimpleName());
                }
            });
        }
        producers.values().forEach(KafkaProducer::close);
    }
}
